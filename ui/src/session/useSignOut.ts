import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import { useSignOutMutation } from '@/api/generated';
import { signedOut } from './session';

/** Ends the session here in any case, and on the server when it can be reached. */
export function useSignOut() {
  const [signOut] = useSignOutMutation();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  return async () => {
    await signOut();
    dispatch(signedOut());
    navigate('/');
  };
}
