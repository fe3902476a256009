import { useEditing } from './editing.ts'
import styles from './editor.module.css'

interface NotesProps {
  path: string
  /** The fields whose problems are shown here while their form is closed. */
  own: readonly string[]
  open: boolean
}

/** Problems and warnings of a stage, a job or a step that no field shows. */
export function Notes({ path, own, open }: NotesProps) {
  const { problems, warnings, tried } = useEditing()
  const at = (some: ReadonlyMap<string, string>, fields: readonly string[]) =>
    ['', ...fields].flatMap((field) => some.get(field === '' ? path : `${path}.${field}`) ?? [])
  const wrong = tried ? at(problems, open ? own.filter((field) => field === 'steps') : own) : []
  // its steps and jobs have notes of their own
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
