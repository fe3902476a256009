/** Parameters as a user types them: `key=value`, one per line; the value may contain equals signs. */
export const parametersIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((line) => {
        const at = line.indexOf('=')
        return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
      }),
  )

export const linesOf = (parameters: Record<string, string>): string =>
  Object.entries(parameters)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n')
