/** Five tally marks, like those on the paper sheet. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#176b70" />
      <g fill="none" strokeLinecap="round">
        <path d="M9 9v14M13.7 9v14M18.3 9v14M23 9v14" stroke="#fff" strokeWidth="2.4" />
        <path d="M6.5 20.5 25.5 11.5" stroke="#8fe0d6" strokeWidth="2.8" />
      </g>
    </svg>
  );
}
