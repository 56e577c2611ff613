import { useState } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { useSessionCheck } from '@/session/guards';
import { makeRoutes } from './router';

/** Everything behind the login. */
export default function Application() {
  const [router] = useState(() => createBrowserRouter(makeRoutes()));
  useSessionCheck(); // asked while the page is being loaded, not after
  return <RouterProvider router={router} />;
}
