import { useNavigate } from 'react-router-dom';
import { LoginForm, RESET_PASSWORD } from './LoginForm';

/** The login of those who have the rest of the application already. */
export function LoginPage() {
  const navigate = useNavigate();
  return <LoginForm onForgot={() => navigate(RESET_PASSWORD)} />;
}
