import { useState } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { useSessionCheck } from '@/session/guards';
import { makeRoutes } from './router';
import { useOfflineWork } from './useOfflineWork';

/** Everything behind the login. */
export default function Application() {
  const [router] = useState(() => createBrowserRouter(makeRoutes()));
  useSessionCheck(); // asked while the page is being loaded, not after
  useOfflineWork();
  return <RouterProvider router={router} />;
}
