import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressFiles, subsetFonts, withIcon } from './files.ts'
import { replaced, withWidgetImports, withoutRules } from './widget-code.ts'
import { loaderModule, withWords, wordsModule } from './words.ts'

/** The server answers these; everything else is the console's own. */
const api = '^/((api|backup-restore|restql|document)/|(?!src/)[a-z-]+/(v\\d+/)?api/|monitor-api/)'

/** Gives the address of a sheet with antd's rules in the place of that of widgets.css. */
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

/** What makes antd's rules in the browser: a build has them as a sheet, and `zeroRuntime` calls none of it. */
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

/** Nor does a build have what gives such rules to the page: with it go the compiler of sheets and its helpers. */
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

/** Each widget is imported by itself. */
const widgetImports: Plugin = {
  name: 'gantry-widget-imports',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /\/console\/src\/.+\.tsx$/, code: /'antd'|\bInput\./ },
    handler: withWidgetImports,
  },
}

/** No widget has waves (ui/theme/theme.tsx), and the rules of icons are in the sheet. */
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

/** A field takes only the context of a form, not the form, and not the area of several lines. */
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

/** Divides the phrases into what each part of the console says; the page of all components has them all. */
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

/** Takes only the letters of the fonts that are drawn, has the icon in the page, and compresses everything. */
const files: Plugin = {
  name: 'gantry-files',
  apply: 'build',
  config: async () => ({ resolve: { alias: await subsetFonts() } }),
  // A browser asks for an icon's file again with each address.
  transformIndexHtml: { order: 'post', handler: withIcon },
  writeBundle: ({ dir }) => compressFiles(dir ?? ''),
}

const library = /node_modules\/(antd|@rc-component|@ant-design|compute-scroll-into-view|scroll-into-view-if-needed)\//
const ui = /console\/src\/ui\/(?!(editor|log|chart)\/)/

/** What the bars, a list and the frame of a page consist of: all that these files import. */
const ofLists = new Set(
  [
    'shell/frame.tsx',
    'ui/table/resource-table.tsx',
    'ui/table/list-page.tsx',
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
  // The server writes a fresh nonce in the place of this word, each time that it answers index.html.
  html: { cspNonce: '__GANTRY_NONCE__' },
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // Everything is a file of our own host: the CSP has no data: for fonts and scripts.
    assetsInlineLimit: 0,
    // A story sums by it what each screen loads.
    manifest: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        // Beside each screen's own code: a link for each of a hundred small files costs a screen more than it saves.
        codeSplitting: {
          groups: [
            // What the login needs, and every screen.
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
            // What other screens draw with, forms above all: a list needs none of it until a dialog opens.
            {
              name: 'forms',
              test: (id) => library.test(id) || ui.test(id),
              minShareCount: 10,
              // What the server's calls consist of stays with them: a list has some.
              includeDependenciesRecursively: false,
            },
            // Calls that are asked by the same screens come in one file; few of them are worth a file of their own.
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
