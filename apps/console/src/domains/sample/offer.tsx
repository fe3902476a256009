import { permissionsOf } from '@gantry/contract/endpoint'
import { sample } from '@gantry/contract/sample/sample'
import { t, type PhraseKey } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Scene } from './scene.tsx'
import { useCreate } from './use-sample.ts'
import styles from './sample.module.css'

const lines: readonly { icon: IconName; text: PhraseKey }[] = [
  { icon: 'code', text: 'sample-ui-line-commit' },
  { icon: 'check', text: 'sample-ui-line-test' },
  { icon: 'image', text: 'sample-ui-line-image' },
  { icon: 'app', text: 'sample-ui-line-run' },
]

/** What one click will do, and the click. */
export function Offer({ teamId, reason }: { teamId: number; reason: string }) {
  const create = useCreate()
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
        {reason === '' ? (
          <div className={styles.start}>
            <Button
              primary
              icon="play"
              needs={permissionsOf(sample.create.access)}
              loading={create.isPending}
              onClick={() => create.mutate({ params: { teamId } })}
            >
              {t('sample-ui-start')}
            </Button>
            <span>{t('sample-ui-start-memo')}</span>
          </div>
        ) : (
          <p className="g-note">{reason}</p>
        )}
      </div>
      <Scene reached={0} />
    </div>
  )
}
