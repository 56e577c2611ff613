import { useReadSettingsQuery } from '@/api/generatedSignIn';

/** Return whether this browser and this address allow passkeys. */
export function usePasskeysHere() {
  const { data } = useReadSettingsQuery();
  return 'PublicKeyCredential' in window && data?.passkey_host === window.location.hostname;
}
