import { Select } from 'antd'
import { useState } from 'react'
import { pipelines } from '@gantry/contract/pipelines/pipelines'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../api/language.ts'
import { useMay } from '../../api/session.ts'
import { copyText } from '../../ui/copyable.tsx'
import { scrollStop } from '../../ui/focus/scroll-stop.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { followLine, listLine, readLine, triggerLine } from './lines.ts'
import styles from './tokens.module.css'

/** Commands that work unchanged: with this installation's address, this team, and one of its pipelines. */
export function ReadyLines({ teamId }: { teamId: number }) {
  const may = useMay(pipelines.list)
  const list = useRead(pipelines.list, { params: { teamId }, query: { pageSize: 50 } }, { enabled: may })
  const [chosen, setChosen] = useState<number>()
  const all = list.data?.items ?? []
  const pipeline = all.find(({ id }) => id === chosen) ?? all[0]
  const id = pipeline?.id ?? 1
  const { origin } = location
  const lines = [
    { label: t('tokens-ui-line-keep'), text: readLine },
    { label: t('tokens-ui-line-list'), text: listLine(origin, teamId) },
    { label: t('tokens-ui-line-trigger', { name: pipeline?.projectName ?? '1' }), text: triggerLine(origin, id) },
    { label: t('tokens-ui-line-follow'), text: followLine(origin, id) },
  ]
  return (
    <Section title={t('tokens-ui-lines')} about={t('tokens-ui-lines-about')}>
      {pipeline ? (
        <label className={styles.pipeline}>
          <span>{t('tokens-ui-line-pipeline')}</span>
          <Select
            className="g-select"
            value={id}
            options={all.map((one) => ({ value: one.id, label: one.projectName }))}
            onChange={setChosen}
          />
        </label>
      ) : (
        !list.isFetching && <p className="g-faint">{t('tokens-ui-line-none')}</p>
      )}
      {lines.map(({ label, text }) => (
        <figure key={label} className={styles.line}>
          <figcaption>
            {label}
            <Button
              quiet
              small
              icon="copy"
              label={t('ui-copy-what', { text: label })}
              onClick={() => void copyText(text)}
            />
          </figcaption>
          <pre ref={scrollStop}>{text}</pre>
        </figure>
      ))}
    </Section>
  )
}
