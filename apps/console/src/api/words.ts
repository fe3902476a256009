export type Language = 'en' | 'zh'

export type Bundle = Readonly<Record<string, string>>

/**
 * The texts of a part of the console in one language. Here all are in every part; a build puts in the place of this file
 * what loads each part by itself (words.ts beside the configuration).
 */
export async function loadWords(language: Language, _part: string): Promise<Bundle> {
  return language === 'zh' ? (await import('@gantry/phrases/zh.gen')).zh : (await import('@gantry/phrases/en.gen')).en
}
