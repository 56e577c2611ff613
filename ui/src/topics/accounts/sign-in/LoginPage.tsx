import { useNavigate } from 'react-router-dom';
import { LoginForm, RESET_PASSWORD } from './LoginForm';

/** The sign-in page inside the router, once the application is loaded. */
export function LoginPage() {
  const navigate = useNavigate();
  return <LoginForm onForgot={() => navigate(RESET_PASSWORD)} />;
}
