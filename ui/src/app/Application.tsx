import { useState } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { useSessionCheck } from '@/session/guards';
import { useOfflineWork } from './offline/useOfflineWork';
import { makeRoutes } from './router';

/** The application behind the login. */
export default function Application() {
  const [router] = useState(() => createBrowserRouter(makeRoutes()));
  useSessionCheck(); // starts while the page is loading, not after it
  useOfflineWork();
  return <RouterProvider router={router} />;
}
