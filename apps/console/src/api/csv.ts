/** The beginning of a cell that a spreadsheet would run as a formula. */
const formula = /^[=+\-@\t\r]/

const cell = (text: string): string => {
  const tame = formula.test(text) ? `'${text}` : text
  return /[",;\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame
}

/** A table that spreadsheets open as UTF-8, without formulas. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`
