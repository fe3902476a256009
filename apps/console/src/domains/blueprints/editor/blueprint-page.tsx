import { releases } from '@gantry/contract/blueprints/releases'
import { lazy, Suspense, useRef, useState } from 'react'
import { blueprints, type Blueprint } from '@gantry/contract/blueprints/blueprints'
import { CallError } from '../../../api/call.ts'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { YamlEditor } from '../../../ui/editor/editors.tsx'
import type { YamlHandle } from '../../../ui/editor/yaml-editor.tsx'
import { Skeleton } from '../../../ui/feedback/skeleton.tsx'
import { to, useGo, useParam, useTeamId } from '../../../ui/link.tsx'
import { Page } from '../../../ui/page.tsx'
import { draftKey, paramsOf, toVersions } from '../places.ts'
import { templateProblems } from '../template-problems.ts'
import { drawingOf } from './drawing.ts'
import { NodeTable } from './node-table.tsx'
import styles from './editor.module.css'

const Canvas = lazy(async () => ({ default: (await import('./canvas.tsx')).Canvas }))

/** A version of a product: its template as text, beside its drawing. */
export function BlueprintPage() {
  const teamId = useTeamId()
  const go = useGo()
  const id = Number(useParam('blueprint_id'))
  const productId = useParam('product_id')
  const productName = useParam('product_name')
  const query = useRead(blueprints.get, { params: { teamId, id } }, { keep: false })
  const blueprint = query.data
  return (
    <Page
      title={blueprint ? `${productName} ${blueprint.version}` : '…'}
      about={blueprint?.description || t('blueprints-ui-about')}
      crumbs={[
        { label: t('route-personal-products'), to: to('personal-products') },
        { label: productName, to: toVersions(productId) },
      ]}
      actions={
        blueprint && (
          <Button
            primary
            icon="play"
            needs={releases.deploy}
            disabled={blueprint.outdated && t('blueprints-ui-outdated-memo')}
            onClick={() => go(to('blueprint-deploy', paramsOf(blueprint)))}
          >
            {t('blueprints-ui-deploy')}
          </Button>
        )
      }
    >
      <Loaded query={query}>{(data) => <Editor blueprint={data} onStale={() => query.refetch()} />}</Loaded>
    </Page>
  )
}

/** Text and drawing edit the same document. */
function Editor({ blueprint, onStale }: { blueprint: Blueprint; onStale: () => Promise<unknown> }) {
  const { id, teamId, template, revision, version } = blueprint
  const [text, setText] = useState(template)
  const handle = useRef<YamlHandle>(null)
  const update = useWrite(blueprints.update, {
    done: 'save-success',
    quiet: true,
  })
  const drawing = drawingOf(text)
  const change = (next: string) => handle.current?.replace(next)
  return (
    <div className={styles.editor}>
      <div className={styles.drawing}>
        <Suspense fallback={<Skeleton rows={8} />}>
          <Canvas drawing={drawing} text={text} onChange={change} />
        </Suspense>
        <NodeTable drawing={drawing} text={text} blueprint={blueprint} onChange={change} />
      </div>
      <div className={styles.text}>
        <YamlEditor
          value={template}
          draftKey={draftKey(id)}
          label={t('blueprints-ui-template')}
          check={templateProblems}
          apply={t('ui-save')}
          needs={blueprints.update}
          onText={setText}
          handle={handle}
          onApply={(next) =>
            update
              .mutateAsync({ named: version, params: { teamId, id }, body: { template: next, revision } })
              .catch(async (error: unknown) => {
                // the text that another user has saved becomes the base for comparison; the input stays
                if (error instanceof CallError && error.status === 409) await onStale()
                throw error
              })
          }
        />
      </div>
    </div>
  )
}
