import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressFiles, subsetFonts, withIcon } from './files.ts'
import { replaced, withWidgetImports, withoutRules } from './widget-code.ts'
import { loaderModule, withWords, wordsModule } from './words.ts'

/** The server answers these; all other paths belong to the console. */
const api = '^/((api|backup-restore|restql|document)/|(?!src/)[a-z-]+/(v\\d+/)?api/|monitor-api/)'

/** Replaces the address of widgets.css by that of a sheet with antd's rules. */
const widgetSheet: Plugin = {
  name: 'gantry-widget-sheet',
  enforce: 'pre',
  load: {
    filter: { id: /\/src\/ui\/widgets\.css\?url$/ },
    async handler() {
      const { drawnRules, widgetStyles } = await import('./widget-styles.tsx')
      const source = drawnRules(widgetStyles().css)
      if (this.meta.watchMode)
        return `export default URL.createObjectURL(new Blob([${JSON.stringify(source)}], { type: 'text/css' }))`
      return `export default import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name: 'widgets.css', source })}`
    },
  },
}

/** Removes the code that creates antd's rules: a build has them as a sheet, and `zeroRuntime` calls none of it. */
const widgetRules: Plugin = {
  name: 'gantry-widget-rules',
  apply: 'build',
  transform: {
    filter: {
      id: /\/antd\/es\/[\w-]+\/style\/[\w-]+\.js$/,
      code: /\bgen(StyleHooks|SubStyleComponent|ComponentStyleHook)\(/,
    },
    handler(code) {
      return withoutRules(code)
    },
  },
}

/** Removes the code that inserts such rules into the page, and with it the style compiler and its helpers. */
const widgetRuntime: Plugin = {
  name: 'gantry-widget-runtime',
  apply: 'build',
  transform: {
    filter: { id: /\/@ant-design\/cssinjs-utils\/es\/util\/genStyleUtils\.js$/ },
    handler: (code) =>
      replaced(
        code,
        /\/\/ Update of `disabledRuntimeStyle`[^]+?(?=\n {4}\};\n {2}\}\n {2}function genSubStyleComponent)/,
        'return hashId;',
      ),
  },
}

/** Imports each widget from its own module. */
const widgetImports: Plugin = {
  name: 'gantry-widget-imports',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/console\/src\/.+\.tsx$/, code: /'antd'|\bInput\./ },
    handler: withWidgetImports,
  },
}

/** No widget uses waves (ui/theme/theme.tsx), and the rules of icons are in the sheet. */
const without: Plugin = {
  name: 'gantry-without',
  apply: 'build',
  load: {
    filter: { id: /\/antd\/es\/(_util\/wave\/index|theme\/util\/useResetIconStyle)\.js$/ },
    handler: (id) =>
      id.endsWith('useResetIconStyle.js')
        ? 'export default () => undefined'
        : 'export default ({ children }) => children ?? null',
  },
}

/** A field imports only the context of a form, without the form, and without the text area. */
const fieldParts: Plugin = {
  name: 'gantry-field-parts',
  apply: 'build',
  transform: {
    filter: { id: /\/antd\/es\/(form\/context|input\/Input)\.js$/ },
    handler: (code, id) =>
      id.endsWith('context.js')
        ? replaced(code, "'@rc-component/form'", "'@rc-component/form/es/FormContext'")
        : replaced(code, "'@rc-component/input'", "'@rc-component/input/es/Input'"),
  },
}

const wordsName = /^\0?gantry-words\/(\w+)\/([\w/-]+)$/

/** Divides the phrases by the parts of the console; the page of all components has all of them. */
const words: Plugin = {
  name: 'gantry-words',
  apply: (_, { command, mode }) => command === 'build' && mode !== 'kit',
  resolveId: { filter: { id: wordsName }, handler: (id) => `\0${id}` },
  load: {
    filter: { id: [wordsName, /console\/src\/api\/words\.ts$/] },
    handler: (id) => {
      const [, language, part] = wordsName.exec(id) ?? []
      return language && part ? wordsModule(language, part) : loaderModule()
    },
  },
  transform: { filter: { id: /console\/src\/domains\/[\w-]+\/routes\.tsx$/ }, order: 'pre', handler: withWords },
}

/** Reduces the fonts to the characters in use, inlines the icon, and compresses all files. */
const files: Plugin = {
  name: 'gantry-files',
  apply: 'build',
  config: async () => ({ resolve: { alias: await subsetFonts() } }),
  // A browser requests an icon's file again at each address.
  transformIndexHtml: { order: 'post', handler: withIcon },
  writeBundle: ({ dir }) => compressFiles(dir ?? ''),
}

const library = /node_modules\/(antd|@rc-component|@ant-design|compute-scroll-into-view|scroll-into-view-if-needed)\//
const ui = /console\/src\/ui\/(?!(editor|log|chart)\/)/

/** The modules of the bars, a list and the frame of a page: all that these files import. */
const ofLists = new Set(
  [
    'shell/frame.tsx',
    'ui/table/resource-table.tsx',
    'ui/table/list-page.tsx',
    'ui/table/time-column.tsx',
    'ui/table/number-column.ts',
    'ui/feedback/problem.tsx',
    'ui/form/remote-select.tsx',
    'ui/asked.ts',
    'ui/detail.tsx',
  ].map((file) => join(import.meta.dirname, 'src', file)),
)
const findLists: Plugin = {
  name: 'gantry-find-lists',
  apply: 'build',
  buildEnd() {
    for (const one of ofLists) for (const next of this.getModuleInfo(one)?.importedIds ?? []) ofLists.add(next)
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    widgetSheet,
    widgetRules,
    widgetRuntime,
    widgetImports,
    without,
    fieldParts,
    findLists,
    words,
    files,
  ],
  // The server replaces this word by a fresh nonce, each time it answers index.html.
  html: { cspNonce: '__GANTRY_NONCE__' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // No inlined assets: the CSP permits no data: for fonts and scripts.
    assetsInlineLimit: 0,
    // An end-to-end test sums up what each screen loads.
    manifest: true,
    reportCompressedSize: false,
    // Only a canvas loads the largest one, which lays it out; what each screen loads is measured by the walk.
    chunkSizeWarningLimit: 1_700,
    rolldownOptions: {
      // a first start prints what its user can act on, and times of plugins are nothing of that
      checks: { pluginTimings: false },
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        // Shared chunks beside each screen's own code: a hundred small files would cost a screen more than they save.
        codeSplitting: {
          groups: [
            // Code that the login and every screen need.
            {
              name: 'base',
              test: /rolldown\/runtime|node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store|query-core|react-query)|zod)\/|packages\/contract\/src\/(auth|oauth\/oauth|endpoint|envelope|ids|paging|secret|topic|validators)/,
              priority: 3,
            },
            {
              name: 'start',
              test: /console\/src\/(api|domains\/auth\/(login-(page|form)|frame|harbour|after-login|error-words|auth\.module)|shell\/(app-route|guard|new-code|nonce|leave|lost|product|router|scroll-key|shell|start)|domains\/\w+\/routes|routes\.gen|paths\.gen|ui\/(basics|kit|tokens|link|tabs|icon|nonce|route|theme\/dark|widgets\.ts|plain-button|feedback\/(toasts|skeleton|illustration)|table\/url-state))/,
              priority: 2,
            },
            { name: 'kit', test: (id) => ofLists.has(id), priority: 1 },
            // Code that many other screens share, forms above all: a list needs none of it until a dialog opens.
            {
              name: 'forms',
              test: (id) => library.test(id) || ui.test(id),
              minShareCount: 10,
              // Modules of the contract stay with their calls, because a list has some.
              includeDependenciesRecursively: false,
            },
            // Calls that are used by the same screens are in one file; a few calls are not worth a file of their own.
            {
              name: 'calls',
              test: /packages\/contract\//,
              entriesAware: true,
              entriesAwareMergeThreshold: 4000,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { [api]: { target: process.env['GANTRY_DEV_SERVER'] ?? 'http://127.0.0.1:8080', ws: true } },
  },
})
