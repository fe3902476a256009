import { saveText } from '../../../api/transfer.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { scrollStop } from '../../../ui/focus/scroll-stop.ts'
import { copyText, Copyable } from '../../../ui/copyable.tsx'
import styles from './agents.module.css'

interface ShownOnceProps {
  text: string
  file: string
  type: string
  /** Instructions for the file. */
  about: string
  /** The command to run where the file is. */
  command: string
  warning: string
}

/** A file that contains a secret, to be saved or copied now. */
export const ShownOnce = ({ text, file, type, about, command, warning }: ShownOnceProps) => (
  <div className={styles.once} aria-live="polite">
    <p>{about}</p>
    <p>
      <Copyable text={command} />
    </p>
    <pre ref={scrollStop}>{text}</pre>
    <div className="g-row">
      <Button icon="download" onClick={() => saveText(text, file, type)}>
        {t('clusters-ui-save', { file })}
      </Button>
      <Button icon="copy" onClick={() => void copyText(text)}>
        {t('ui-copy')}
      </Button>
    </div>
    <p className="g-note g-note-warn">{warning}</p>
  </div>
)
