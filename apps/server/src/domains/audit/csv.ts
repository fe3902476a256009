import { stringify } from 'csv-stringify/sync'

/** RFC 4180. A cell that a spreadsheet would run as a formula is led by an apostrophe, which it shows as text. */
export const csvLine = (cells: (string | number)[]): string =>
  stringify([cells], { record_delimiter: 'windows', quoted_match: /[\r\n]/, escape_formulas: true })

/** Excel takes a file without it for the machine's own encoding. */
export const byteOrderMark = '\ufeff'
