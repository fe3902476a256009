import { sample } from '@gantry/contract/sample/sample'
import { t, type PhraseKey } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useLacking } from '../../api/session.ts'
import { MissingPermission } from '../../ui/may.tsx'
import { Scene } from './scene.tsx'
import { useCreate } from './use-sample.ts'
import styles from './sample.module.css'

const lines: readonly { icon: IconName; text: PhraseKey }[] = [
  { icon: 'code', text: 'sample-ui-line-commit' },
  { icon: 'check', text: 'sample-ui-line-test' },
  { icon: 'image', text: 'sample-ui-line-image' },
  { icon: 'app', text: 'sample-ui-line-run' },
]

/** A description of the first minute, and the button that starts it. */
export function Offer({ teamId, reason }: { teamId: number; reason: string }) {
  const create = useCreate()
  const lacking = useLacking()(sample.create)
  return (
    <div className={styles.offer}>
      <div className={styles.offerWords}>
        <p className={styles.eyebrow}>{t('sample-ui-eyebrow')}</p>
        <h2>{t('sample-ui-title')}</h2>
        <p className={styles.lead}>{t('sample-ui-memo')}</p>
        <ol className={styles.lines}>
          {lines.map(({ icon, text }) => (
            <li key={text}>
              <Icon name={icon} />
              {t(text)}
            </li>
          ))}
        </ol>
        {reason !== '' || lacking !== undefined ? (
          <p className="g-note">{lacking === undefined ? reason : <MissingPermission needs={lacking} />}</p>
        ) : (
          <div className={styles.start}>
            <Button
              primary
              icon="play"
              loading={create.isPending}
              onClick={() => create.mutate({ params: { teamId } })}
            >
              {t('sample-ui-start')}
            </Button>
            <span>{t('sample-ui-start-memo')}</span>
          </div>
        )}
      </div>
      <Scene reached={0} />
    </div>
  )
}
