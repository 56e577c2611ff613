/** Return the token of the user signed in on this device. */
export const storedToken = () => localStorage.getItem('token');
