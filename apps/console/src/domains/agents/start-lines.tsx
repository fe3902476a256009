import type { Registration } from '@gantry/contract/agents/agents'
import { t } from '../../api/language.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copyable.tsx'
import { scrollStop } from '../../ui/focus/scroll-stop.ts'
import { exactTime } from '../../ui/format.ts'
import { Tabs } from '../../ui/tabs.tsx'
import styles from './agents.module.css'

const ways = ['file', 'container', 'kubernetes'] as const

/** The lines that start an agent, in alternative ways; their token is shown only now. */
export function StartLines({ made }: { made: Registration }) {
  const tabs = ways.flatMap((way) => {
    const lines = made.ways[way]
    if (lines === null) return []
    return {
      key: way,
      label: t(`agents-ui-way-${way}`),
      content: () => (
        <div className={styles.lines}>
          <p>{t(`agents-ui-way-${way}-about`)}</p>
          <pre ref={scrollStop}>{lines}</pre>
          <div className="g-row">
            <Button icon="copy" onClick={() => void copyText(lines)}>
              {t('agents-ui-copy-lines')}
            </Button>
          </div>
        </div>
      ),
    }
  })
  return (
    <>
      <p>{t('agents-ui-start-about', { until: exactTime(made.until) })}</p>
      <Tabs tabs={tabs} name="way" />
      <p className="g-note g-note-warn">{t('agents-ui-start-once')}</p>
    </>
  )
}
