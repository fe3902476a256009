import { useState } from 'react'
import { type CsvEncoding, users } from '@gantry/contract/users/users'
import { useWrite } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { wordsOf } from '../../api/notices.ts'
import { saveText } from '../../api/transfer.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, confirm } from '../../ui/feedback/dialog.tsx'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { csvOf } from '../../api/csv.ts'
import { ImportRows, type Report } from './import-rows.tsx'

const columns = ['userName', 'nickname', 'email', 'team']
const saveTemplate = () =>
  saveText(csvOf([columns, ['ada', 'Ada Lovelace', 'ada@example.com', '']]), 'users.csv', 'text/csv')

const saveResult = ({ rows }: Report) =>
  saveText(
    csvOf([
      [...columns, 'initialPassword'],
      ...rows.map((row) => [row.userName, row.nickname, row.email, row.team, row.initialPassword]),
    ]),
    'initial-passwords.csv',
    'text/csv',
  )

const unsaved = () => ({
  title: t('users-ui-import-unsaved-title'),
  text: t('users-ui-import-unsaved'),
  ok: t('ui-close'),
})

/** Creates users from a file: first a preview, row by row; then all of them are created, or none. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File>()
  const [encoding, setEncoding] = useState<CsvEncoding>()
  const [saved, setSaved] = useState(false)
  const look = useWrite(users.importUsers, { quiet: true })
  const make = useWrite(users.importUsers, { quiet: true })
  // a name may have been taken since the preview: then this is a report of problems again
  const report = make.data ?? look.data
  const done = (make.data?.created ?? 0) > 0
  const wrong = report?.rows.filter((row) => row.problem !== '').length ?? 0
  const busy = look.isPending || make.isPending
  const error = make.error ?? look.error
  const unsure = error || busy ? [] : (report?.unsure ?? [])
  const readable = report && !error && report.unsure.length === 0 ? report : undefined

  const choose = (chosen: File, as?: CsvEncoding) => {
    setFile(chosen)
    setEncoding(as)
    make.reset()
    look.mutate({ query: { check: 'true', ...(as && { encoding: as }) }, file: chosen })
  }
  const leave = async () => {
    const lost = done && !saved
    if (!lost || (await confirm({ ...unsaved(), danger: true }))) onClose()
  }
  const again = () => {
    setFile(undefined)
    look.reset()
    make.reset()
  }

  return (
    <Dialog
      width={760}
      title={t(done ? 'users-ui-import-done-title' : 'users-ui-import')}
      closes={done || busy ? 'asked' : 'anyhow'}
      onClose={() => void leave()}
      buttons={
        <>
          {done && report ? (
            <>
              <Button onClick={() => void leave()}>{t('ui-close')}</Button>
              <Button
                primary
                icon="download"
                onClick={() => {
                  saveResult(report)
                  setSaved(true)
                }}
              >
                {t('users-ui-import-save')}
              </Button>
            </>
          ) : (
            <>
              {file && (
                <Button onClick={again} disabled={busy && t('ui-loading')}>
                  {t('users-ui-import-other')}
                </Button>
              )}
              <Button
                primary
                loading={make.isPending}
                disabled={reasonAgainst({ report: readable, wrong, reading: look.isPending })}
                onClick={() => file && make.mutate({ file, query: { ...(encoding && { encoding }) } })}
              >
                {readable ? t('users-ui-import-count', { count: readable.rows.length }) : t('users-ui-import')}
              </Button>
            </>
          )}
        </>
      }
    >
      {file === undefined ? (
        <>
          <FileDrop
            accept=".csv,text/csv"
            label={t('users-ui-import-drop')}
            memo={t('users-ui-import-memo')}
            onFile={(chosen) => choose(chosen)}
          />
          <Button quiet icon="download" onClick={saveTemplate}>
            {t('users-ui-import-template')}
          </Button>
        </>
      ) : (
        <div aria-live="polite">
          {look.isPending && <p>{t('users-ui-import-looking', { file: file.name })}</p>}
          {make.isPending && <p>{t('users-ui-import-making', { count: report?.rows.length ?? 0 })}</p>}
          {error && <p className="g-note g-note-bad">{wordsOf(error)}</p>}
          {unsure.length > 0 && <Readings file={file} readings={unsure} onChoose={(as) => choose(file, as)} />}
          {readable && (
            <p className={wrong > 0 ? 'g-note g-note-bad' : 'g-note'}>
              {done
                ? t('users-ui-import-done', { count: make.data?.created ?? 0 })
                : wrong > 0
                  ? t('users-ui-import-wrong', { wrong, count: readable.rows.length })
                  : t('users-ui-import-fine', { count: readable.rows.length, file: file.name })}
            </p>
          )}
          {readable && <ImportRows rows={readable.rows} done={done} />}
        </div>
      )}
    </Dialog>
  )
}

interface ReadingsProps {
  file: File
  readings: Report['unsure']
  onChoose: (encoding: CsvEncoding) => void
}

/** The same lines in each possible encoding of the file. */
const Readings = ({ file, readings, onChoose }: ReadingsProps) => (
  <>
    <p className="g-note g-note-warn">{t('users-ui-import-unsure', { file: file.name })}</p>
    {readings.map(({ encoding, preview }) => (
      <div key={encoding}>
        <pre>{preview.join('\n')}</pre>
        <Button onClick={() => onChoose(encoding)}>{t('users-ui-import-as', { encoding })}</Button>
      </div>
    ))}
  </>
)

interface Standing {
  report: Report | undefined
  wrong: number
  reading: boolean
}

function reasonAgainst({ report, wrong, reading }: Standing): string | false {
  if (reading) return t('ui-loading')
  if (!report) return t('users-ui-import-drop')
  return wrong > 0 && t('users-ui-import-mend')
}
