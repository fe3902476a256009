/**
 * The error text of a registry or of its token service, on one line: from the error format that registries share, from
 * the fields that token services use instead, or the whole text. Empty for an HTML page.
 */
export function errorText(text: string): string {
  const body = parsed(text)
  if (body === undefined) return text.trimStart().startsWith('<') ? '' : oneLine(text)
  const { errors } = body
  const of: unknown = Array.isArray(errors) ? errors[0] : body
  if (typeof of !== 'object' || of === null) return ''
  const { code, message, details, error, error_description: description } = of as Record<string, unknown>
  const words = [message, details, description].find(isText)
  return oneLine([[code, error].find(isText), words].filter(isText).join(': '))
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200)

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
