import { useState } from 'react';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { useQuickUnlock } from '@/session/useQuickUnlock';
import { useSessionCheck } from '@/topics/accounts/guards';
import { useOfflineWork } from './offline/useOfflineWork';
import { makeRoutes } from './router';

/** The application behind the login. */
export default function Application() {
  const [router] = useState(() => createBrowserRouter(makeRoutes()));
  useSessionCheck(); // starts while the page is loading, not after it
  useOfflineWork();
  useQuickUnlock();
  return <RouterProvider router={router} />;
}
