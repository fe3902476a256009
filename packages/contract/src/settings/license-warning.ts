/** How long before its end everybody is reminded of a license: ten days, as specified. Apart, for what loads at login. */
export const licenseWarningMs = 10 * 24 * 3_600_000
