import { Form as Antd, Input, Select } from 'antd'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { t } from '../../../api/language.ts'
import { toast } from '../../../api/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/form.tsx'
import { contextsOf, largestKubeconfig } from './kubeconfig.ts'
import styles from './clusters.module.css'

/** A kubeconfig, pasted or from a file, and the selected context. Fields of a Form. */
export function KubeconfigFields() {
  const form = Antd.useFormInstance()
  const input = useRef<HTMLInputElement>(null)
  // Typing has priority, because the pasted text may be long.
  const text: string = useDeferredValue(Antd.useWatch('kubeconfig', form) ?? '')
  const contexts = useMemo(() => contextsOf(text), [text])
  const { names } = contexts
  const several = names.length > 1
  const preset = useEffectEvent(({ names, current }: ReturnType<typeof contextsOf>) => {
    const chosen: unknown = form.getFieldValue('context')
    if (!names.some((name) => name === chosen))
      form.setFieldValue('context', several ? (current ?? names[0]) : undefined)
  })
  useEffect(() => preset(contexts), [contexts])

  const take = async (file: File | undefined) => {
    if (!file) return
    if (file.size > largestKubeconfig) toast.error(t('kubeconfig-too-large'))
    else form.setFieldsValue({ kubeconfig: await file.text() })
  }
  return (
    <>
      <Field name="kubeconfig" label={t('clusters-ui-kubeconfig')} help={t('clusters-ui-kubeconfig-help')}>
        <Input.TextArea
          className={`${styles.kubeconfig} g-grow`}
          rows={8}
          spellCheck={false}
          autoComplete="off"
          placeholder={'apiVersion: v1\nkind: Config\nclusters: …'}
        />
      </Field>
      <div className={styles.file}>
        <input
          ref={input}
          type="file"
          className="g-hidden"
          tabIndex={-1}
          aria-label={t('clusters-ui-file')}
          onChange={(event) => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            void take(file)
          }}
        />
        <Button small icon="docs" onClick={() => input.current?.click()}>
          {t('clusters-ui-file')}
        </Button>
      </div>
      {several && (
        <Field
          name="context"
          label={t('clusters-ui-context')}
          help={t('clusters-ui-context-help', { count: names.length })}
          filled
        >
          <Select className="g-select" showSearch options={names.map((value) => ({ value, label: value }))} />
        </Field>
      )}
    </>
  )
}
