/** The template version that this release of the product writes and deploys. */
export const platformVersion = 'gantry_1_0_0'

const form = /^[a-z][a-z0-9_]{0,40}_(\d{1,4})_(\d{1,4})_(\d{1,4})$/

/** The last three numeric parts of a version; undefined where it has none. */
export function versionParts(version: string): readonly number[] | undefined {
  return form.exec(version)?.slice(1).map(Number)
}

/** Whether a template has a lower version, so that it must be translated before it is used. */
export function isLower(version: string, than: string = platformVersion): boolean {
  const [a, b] = [versionParts(version) ?? [0, 0, 0], versionParts(than) ?? [0, 0, 0]]
  const at = a.findIndex((part, place) => part !== b[place])
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0)
}
