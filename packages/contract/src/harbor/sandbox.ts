/** The account of the simulated Harbor. Its password is the HMAC-SHA256 of this purpose under the registry's key. */
export const harborAdmin = 'admin'
export const harborPurpose = 'harbor administrator'
