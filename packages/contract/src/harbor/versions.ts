/** The oldest minor version of Harbor 2 that the platform supports: robots of several projects came with 2.2. */
export const oldestVersion = 2
const newestVersion = 15

/** The newest version first. */
export const supportedVersions: readonly string[] = Array.from(
  { length: newestVersion - oldestVersion + 1 },
  (_, at) => `2.${newestVersion - at}`,
)

export const isSupported = (version: string): boolean =>
  supportedVersions.some((one) => version === one || version.startsWith(`${one}.`))
