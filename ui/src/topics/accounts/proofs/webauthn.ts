import type { MessageId } from '@/i18n/language';

/*
 * Passkeys in the browser. Options and answers have the JSON form of WebAuthn; the methods that convert it are missing
 * in Safari before 18.4.
 */

// biome-ignore lint/suspicious/noExplicitAny: the server's library writes the options, and the browser checks them.
export type PasskeyJson = Record<string, any>;

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

const toText = (buffer: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const withBytes = (list: PasskeyJson[] = []) =>
  list.map((one) => ({ ...(one as PublicKeyCredentialDescriptor), id: toBytes(one.id) }));

function toJson(made: Credential | null, members: string[]): PasskeyJson {
  const { id, rawId, type, response } = made as PublicKeyCredential;
  const parts = response as unknown as Record<string, ArrayBuffer | null>;
  const texts = members.flatMap((name) => (parts[name] ? [[name, toText(parts[name])]] : []));
  return { id, rawId: toText(rawId), type, response: Object.fromEntries(texts) };
}

/** Create a passkey on a device that the user chooses. */
export async function createPasskey(options: PasskeyJson): Promise<PasskeyJson> {
  const made = await navigator.credentials.create({
    publicKey: {
      ...(options as PublicKeyCredentialCreationOptions),
      challenge: toBytes(options.challenge),
      user: { ...options.user, id: toBytes(options.user.id) },
      excludeCredentials: withBytes(options.excludeCredentials),
    },
  });
  const json = toJson(made, ['clientDataJSON', 'attestationObject']);
  const { response } = made as PublicKeyCredential & { response: AuthenticatorAttestationResponse };
  json.response.transports = response.getTransports?.() ?? [];
  return json;
}

/** Sign with a passkey that the user chooses. */
export async function signWithPasskey(options: PasskeyJson): Promise<PasskeyJson> {
  const made = await navigator.credentials.get({
    publicKey: {
      ...(options as PublicKeyCredentialRequestOptions),
      challenge: toBytes(options.challenge),
      allowCredentials: withBytes(options.allowCredentials),
    },
  });
  return toJson(made, ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']);
}

const failures: Record<string, MessageId> = {
  AbortError: 'passkeys.cancelled',
  InvalidStateError: 'passkeys.known',
  NotAllowedError: 'passkeys.cancelled',
  SecurityError: 'passkeys.wrongAddress',
};

/** Return the message for what the browser refused. */
export const passkeyFailure = (error: unknown): MessageId =>
  failures[(error as { name?: string } | null)?.name ?? ''] ?? 'passkeys.failed';
