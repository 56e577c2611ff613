import { useLocation, useNavigate } from 'react-router-dom';
import { LoginForm, RESET_PASSWORD } from './LoginForm';

/** The login of those who have the rest of the application already. */
export function LoginPage() {
  const { state } = useLocation();
  const navigate = useNavigate();
  return (
    <LoginForm
      email={state?.email}
      onForgot={(email) => navigate(RESET_PASSWORD, { state: { ...state, email } })}
    />
  );
}
