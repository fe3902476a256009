import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readingsOf } from './encoding.ts'
import { type CsvUser, hasHeading, maxRows, readUserCsv } from './user-csv.ts'

function rowsOf(bytes: Buffer): CsvUser[] {
  const found = readingsOf(bytes, hasHeading)
  if ('unsure' in found) throw new Error('unsure')
  return readUserCsv(found.sure.text)
}
const read = (text: string) => rowsOf(Buffer.from(text))
const heading = 'userName,nickname,email,team\n'
const refused = (bytes: Buffer, key: string) =>
  expect(() => rowsOf(bytes)).toThrow(expect.objectContaining({ key }) as Error)

const ada = { userName: 'ada', nickname: 'Ada', email: 'ada@x.test', team: 'blue', surplus: false }

describe('accepts', () => {
  test.for([
    ['commas', `${heading}ada,Ada,ada@x.test,blue\n`],
    ['semicolons', 'userName;nickname;email;team\nada;Ada;ada@x.test;blue'],
    ['a byte order mark and carriage returns', `\uFEFF${heading.trim()}\r\nada,Ada,ada@x.test,blue\r\n`],
    ['quoted cells and spaces', `${heading}"ada" , "Ada", ada@x.test ,blue\n`],
    ['another order', 'team,email,userName,nickname\nblue,ada@x.test,ada,Ada\n'],
    ['a declared separator', `sep=;\r\nuserName;nickname;email;team\r\nada;Ada;ada@x.test;blue\r\n`, 3],
    ['one in quotation marks', `"sep=\t"\nuserName\tnickname\temail\tteam\nada\tAda\tada@x.test\tblue\n`, 3],
    ['an empty heading', 'userName,,nickname,email,team,\nada,,Ada,ada@x.test,blue,\n'],
    ['other spellings', 'User Name,NICKNAME,e-mail,Team\nada,Ada,ada@x.test,blue\n'],
    ['Chinese headings', '用户名,昵称,邮箱,团队\nada,Ada,ada@x.test,blue\n'],
  ] as [string, string, number?][])('%s', ([, text, line = 2]) => {
    expect(read(text)).toEqual([{ ...ada, line }])
  })

  test('GBK, in which Chinese spreadsheets save', () => {
    // 用户名,昵称,邮箱 and 小明
    const names = Buffer.from('d3c3bba7c3fb2ceac7b3c62cd3cacfe40a', 'hex')
    const row = Buffer.concat([Buffer.from('xm,'), Buffer.from('d0a1c3f7', 'hex'), Buffer.from(',xm@x.test\n')])
    expect(rowsOf(Buffer.concat([names, row]))).toEqual([
      { line: 2, userName: 'xm', nickname: '小明', email: 'xm@x.test', team: '', surplus: false },
    ])
  })

  test('UTF-16 with a byte order mark, in which spreadsheets write tabs', () => {
    const text = '\uFEFFuserName\tnickname\temail\nxm\t小明\txm@x.test\n'
    expect(rowsOf(Buffer.from(text, 'utf16le'))).toMatchObject([{ nickname: '小明' }])
    expect(rowsOf(Buffer.from(text, 'utf16le').swap16())).toMatchObject([{ nickname: '小明' }])
  })

  test.for([
    ['Jürgen', '4afc7267656e'],
    ['Måns Östberg', '4de56e7320d6737462657267'],
    ['Määttä', '4de4e47474e4'],
    ['Zoë’s', '5a6feb9273'],
    ['小明', 'd0a1c3f7'],
    ['王', 'cdf5'],
    ['李明（张）', 'c0eec3f7a3a8d5c5a3a9'],
  ] as const)('the code page is told by words of one language: %s', ([name, hex]) => {
    const table = Buffer.concat([Buffer.from(`${heading}x,`), Buffer.from(hex, 'hex'), Buffer.from(',x@x.test,\n')])
    expect(rowsOf(table)).toMatchObject([{ nickname: name }])
  })

  test.for([
    // Éa, or one Chinese character
    ['either', 'c961', ['gbk', 'windows-1252']],
    // a Latin name followed by a Chinese character
    ['neither', '57616e67cdf5', ['gbk', 'windows-1252']],
    // Polish in its own code page
    ['another code page', 'a3f364bc', ['windows-1252']],
  ] as const)('in doubt it is asked for: %s', ([, hex, encodings]) => {
    const table = Buffer.concat([Buffer.from(`${heading}x,`), Buffer.from(hex, 'hex'), Buffer.from(',x@x.test,\n')])
    const found = readingsOf(table, hasHeading)
    expect('unsure' in found && found.unsure.map(({ encoding }) => encoding)).toEqual(encodings)
  })

  test('the team may be missing in the heading or in a line, and empty lines are no users', () => {
    expect(read('userName,nickname,email\n\nada,Ada,ada@x.test\n,,\n')).toEqual([{ ...ada, team: '', line: 3 }])
    expect(read(`${heading}ada,Ada,ada@x.test`)).toEqual([{ ...ada, team: '', line: 2 }])
  })

  test('lines are counted like in an editor, across cells with several lines', () => {
    const rows = read(`${heading}ada,"A\nd\na",ada@x.test,blue\nbob,Bob,bob@x.test,blue\n`)
    expect(rows.map(({ line }) => line)).toEqual([2, 5])
  })

  test('cells that a spreadsheet would run are text', () => {
    const [row] = read(`${heading}=1+1,"=HYPERLINK(""http://x.test"")",@SUM(A1),-2\n`)
    expect(row).toMatchObject({
      userName: '=1+1',
      nickname: '=HYPERLINK("http://x.test")',
      email: '@SUM(A1)',
      team: '-2',
    })
  })

  test('cells without a heading are reported', () => {
    expect(read('userName,,nickname,email\nada,x,Ada,ada@x.test\n')).toEqual([
      { ...ada, team: '', line: 2, surplus: true },
    ])
    expect(read(`${heading}ada,Ada,ada@x.test,blue,admin\n`)).toEqual([{ ...ada, line: 2, surplus: true }])
    expect(read(`${heading}ada,Ada,ada@x.test,blue,,\n`)).toEqual([{ ...ada, line: 2 }])
  })
})

describe('refuses', () => {
  test.for([
    ['no line at all', '', 'import-heading'],
    ['no heading', 'ada,Ada,ada@x.test,blue\n', 'import-heading'],
    ['a heading without the address', 'userName,nickname,team\nada,Ada,blue\n', 'import-heading'],
    ['an unknown column', 'userName,nickname,email,admin\nada,Ada,ada@x.test,true\n', 'import-heading'],
    ['a column twice', 'userName,nickname,email,email\nada,Ada,a@x.test,b@x.test\n', 'import-heading'],
    ['no users', heading, 'import-empty'],
    ['an unclosed quotation mark', `${heading}"ada,Ada,ada@x.test\n`, 'import-broken'],
    ['an endless cell', `${heading}${'x'.repeat(20_000)},Ada,ada@x.test\n`, 'import-broken'],
    ['too many rows', heading + 'a,b,c,d\n'.repeat(maxRows + 1), 'import-too-many'],
  ] as const)('%s', ([, text, key]) => {
    refused(Buffer.from(text), key)
  })

  test('a workbook, UTF-16 without a byte order mark, and a file that is no text', () => {
    for (const bytes of [
      Buffer.from('504b0304140000', 'hex'),
      // UTF-16 without a byte order mark
      Buffer.from(heading, 'utf16le'),
      Buffer.from('ff80ff80', 'hex'),
    ])
      refused(bytes, 'import-encoding')
  })

  test('accepts as many rows as fit into an upload', () => {
    refused(Buffer.from(heading + 'a\n'.repeat(500_000)), 'import-too-many')
  })
})

test('reads back what a spreadsheet writes, whatever the cells contain', () => {
  const cell = fc
    .string({ unit: 'grapheme', maxLength: 30 })
    .map((text) => text.replaceAll(/[\0\r\n\uFEFF]/g, '').trim())
  const row = fc.record({ userName: cell, nickname: cell, email: cell, team: cell })
  const written = (rows: Omit<CsvUser, 'line' | 'surplus'>[], delimiter: string) =>
    ['userName,nickname,email,team'.replaceAll(',', delimiter)]
      .concat(
        rows.map(({ userName, nickname, email, team }) =>
          [userName, nickname, email, team].map((text) => `"${text.replaceAll('"', '""')}"`).join(delimiter),
        ),
      )
      .join('\r\n')
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), fc.constantFrom(',', ';'), (rows, delimiter) => {
      const kept = rows.map((each, at) => ({ ...each, line: at + 2, surplus: false }))
      const filled = kept.filter((each) => each.userName || each.nickname || each.email || each.team)
      fc.pre(filled.length > 0)
      expect(read(written(rows, delimiter))).toEqual(filled)
    }),
  )
})
