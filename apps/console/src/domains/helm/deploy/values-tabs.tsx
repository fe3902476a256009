import type { InspectedChart } from '@gantry/contract/helm/charts'
import { layersOf } from '@gantry/contract/helm/layers'
import { lazy, Suspense } from 'react'
import { stringify } from 'yaml'
import { t } from '../../../api/language.ts'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { scrollStop } from '../../../ui/focus/scroll-stop.ts'
import { Tabs } from '../../../ui/tabs.tsx'
import styles from './deploy.module.css'
import { fieldsOf, SchemaForm } from './schema-form.tsx'
import { valuesIn } from './values-text.ts'

const ValuesEditor = lazy(async () => ({ default: (await import('./values-editor.tsx')).ValuesEditor }))

interface ValuesTabsProps {
  chart: InspectedChart
  /** The values of the last deployment, as YAML. */
  last: string
  yours: string
  onChange: (text: string) => void
}

/** The user's values as YAML or as a form of the chart's schema, and the result of the three layers. */
export function ValuesTabs({ chart, last, yours, onChange }: ValuesTabsProps) {
  const fields = fieldsOf(chart.schema)
  const form = {
    key: 'form',
    label: t('helm-ui-form'),
    content: () => <SchemaForm {...{ chart, last, yours, onChange, fields }} />,
  }
  return (
    <Tabs
      name="values"
      tabs={[
        {
          key: 'yours',
          label: t('helm-ui-yours'),
          content: () => (
            <Suspense fallback={<Skeleton rows={8} />}>
              <ValuesEditor {...{ yours, onChange }} />
            </Suspense>
          ),
        },
        ...(fields.length > 0 ? [form] : []),
        { key: 'result', label: t('helm-ui-result'), content: () => <Layers {...{ chart, last, yours }} /> },
        {
          key: 'defaults',
          label: t('helm-ui-default-values'),
          content: () => (
            <pre ref={scrollStop} className={styles.text} aria-label={t('helm-ui-default-values')}>
              {chart.values}
            </pre>
          ),
        },
        {
          key: 'readme',
          label: t('helm-ui-readme'),
          content: () =>
            chart.readme === '' ? (
              <p className="g-faint">{t('helm-ui-no-readme')}</p>
            ) : (
              <pre ref={scrollStop} className={styles.text} aria-label={t('helm-ui-readme')}>
                {chart.readme}
              </pre>
            ),
        },
      ]}
    />
  )
}

/** Every value that helm will use, line by line, with its layer. */
function Layers({ chart, last, yours }: Pick<ValuesTabsProps, 'chart' | 'last' | 'yours'>) {
  const own = valuesIn(yours)
  if (!own) return <p className="g-note g-note-bad">{t('helm-ui-yaml-broken')}</p>
  const lines = layersOf(valuesIn(chart.values) ?? {}, valuesIn(last) ?? {}, own)
  if (lines.length === 0) return <p className="g-faint">{t('helm-ui-nothing')}</p>
  return (
    <ol className={styles.lines} ref={scrollStop} aria-label={t('helm-ui-result')}>
      {lines.map(({ path, value, layer }) => (
        <li key={path.join('\n')}>
          <code>
            {'  '.repeat(path.length - 1)}
            {path.at(-1)}:
            {value === undefined ? '' : ` ${stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`}
          </code>
          <span className={layer === 'chart' ? 'g-faint' : 'g-ok'}>{t(`helm-ui-layer-${layer}`)}</span>
        </li>
      ))}
    </ol>
  )
}
