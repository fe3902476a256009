import { useEditing } from './editing.ts'
import styles from './editor.module.css'

interface NotesProps {
  path: string
  /** The fields whose problems show here while the form that has them is closed. */
  own: readonly string[]
  open: boolean
}

/** What is wrong with a stage, a job or a step, and what may be, where no field shows it. */
export function Notes({ path, own, open }: NotesProps) {
  const { problems, warnings, tried } = useEditing()
  const at = (some: ReadonlyMap<string, string>, fields: readonly string[]) =>
    ['', ...fields].flatMap((field) => some.get(field === '' ? path : `${path}.${field}`) ?? [])
  const wrong = tried ? at(problems, open ? own.filter((field) => field === 'steps') : own) : []
  // what is in it has notes of its own
  const fields = own.filter((field) => field !== 'steps' && field !== 'jobs')
  const doubtful = [...warnings].filter(
    ([where]) =>
      where === path || fields.some((field) => where === `${path}.${field}` || where.startsWith(`${path}.${field}.`)),
  )
  return (
    <>
      {wrong.map((words) => (
        <p key={words} className="g-bad g-small">
          {words}
        </p>
      ))}
      {doubtful.map(([where, words]) => (
        <p key={where} className={`${styles.doubt} g-small`}>
          {words}
        </p>
      ))}
    </>
  )
}
