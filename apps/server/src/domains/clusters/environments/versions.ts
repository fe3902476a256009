const from = [1, 30] as const
const to = [1, 35] as const

/** As it stands in messages. */
export const supportedVersions = { from: from.join('.'), to: to.join('.') }

/** Kubernetes 1.30 to 1.35; what says `34+` is 34. */
export function supports({ major, minor }: { major?: string; minor?: string }): boolean {
  const number = Number.parseInt(minor ?? '', 10)
  return Number(major) === from[0] && number >= from[1] && number <= to[1]
}
