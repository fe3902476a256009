/** Everybody is reminded ten days before a license ends, as specified. A separate file, because it loads at login. */
export const licenseWarningMs = 10 * 24 * 3_600_000
