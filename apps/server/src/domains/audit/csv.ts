/** A cell that a spreadsheet would run as a formula is led by an apostrophe, which it shows as text. */
const formula = /^[=+\-@\t\r]/

const cell = (value: string | number): string => {
  const text = typeof value === 'number' ? String(value) : value.replace(formula, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** RFC 4180. */
export const csvLine = (cells: (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`

/** Excel takes a file without it for the machine's own encoding. */
export const byteOrderMark = '\ufeff'
