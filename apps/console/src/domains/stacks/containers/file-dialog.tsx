import { Input } from 'antd'
import { useState } from 'react'
import { containerFiles } from '@gantry/contract/stacks/containers/files'
import { useRead, useWrite } from '../../../api/hooks.ts'
import { t } from '../../../api/language.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded } from '../../../ui/detail.tsx'
import { Dialog, useUnsent } from '../../../ui/feedback/dialog.tsx'

interface FileDialogProps {
  params: { teamId: number; envId: string; podId: string; name: string }
  path: string
  onClose: () => void
}

/** Shows and edits a text file of a container. */
export function FileDialog({ params, path, onClose }: FileDialogProps) {
  const query = useRead(containerFiles.read, { params, query: { path } }, { keep: false })
  return (
    <Dialog width={960} title={<span className="g-mono">{path}</span>} onClose={onClose}>
      <Loaded query={query}>
        {(data) => <FileText params={params} path={path} onClose={onClose} text={data.text} revision={data.revision} />}
      </Loaded>
    </Dialog>
  )
}

function FileText({ params, path, onClose, text, revision }: FileDialogProps & { text: string; revision: string }) {
  const [typed, type] = useState(text)
  const unsent = useUnsent()
  const write = useWrite(containerFiles.write, {
    done: 'update-success',
  })
  return (
    <>
      <Input.TextArea
        aria-label={path}
        className="g-mono"
        spellCheck={false}
        rows={20}
        value={typed}
        onChange={(event) => {
          type(event.target.value)
          unsent(event.target.value !== text)
        }}
      />
      <div className="g-row g-row-end">
        <Button onClick={onClose}>{t('ui-cancel')}</Button>
        <Button
          primary
          needs={containerFiles.write}
          loading={write.isPending}
          disabled={typed === text && t('stacks-ui-files-unchanged')}
          onClick={() => {
            write.mutate(
              { named: path, params, query: { path }, body: { text: typed, revision } },
              { onSuccess: onClose },
            )
          }}
        >
          {t('ui-save')}
        </Button>
      </div>
    </>
  )
}
