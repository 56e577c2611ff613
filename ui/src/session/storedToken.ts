/** The token of whoever is signed in on this device. */
export const storedToken = () => localStorage.getItem('token');
