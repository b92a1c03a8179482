import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { compileSignal, testSignal } from '../matcher/signal.ts'
import { createTextFacts } from '../matcher/text-facts.ts'
import { DomainFile } from '../schema/domain.ts'

const FILE = new URL('../../../profiles/domains/default.yaml', import.meta.url)
const { domains } = DomainFile.parse(parse(readFileSync(FILE, 'utf8')))

/** Domains of which the signal `romance` fires. */
function romanceOf(text: string): readonly string[] {
  return domains.flatMap(({ name, signals }) => {
    const signal = signals.find((one) => typeof one !== 'string' && one.id === 'romance')
    if (signal === undefined) return []
    const compiled = compileSignal(signal, 'romance', { asciiBoundaries: false })
    return compiled.ok && testSignal(compiled.value, createTextFacts(text)) ? [name] : []
  })
}

describe('[L62] words of French, Spanish and Italian that English has too', () => {
  test.each([
    'Make the selected tab active and grey out the others',
    'Status is active, but nobody is logged in. Which branch is active right now?',
    'show active sessions in their own view, sorted by last active',
    'we sync users with Active Directory every night',
    'the Windows installer asks twice for the folder',
    'does the dmg installer also start the service?',
    'add the requirement check to the installer and build the installers for both systems',
    'the engine in falla.py still returns nothing; wire lib_falla into the search',
    'San Andreas Falla is a song, and Falla composed El amor brujo',
    'ask Lance about the lance of the knight in scene 3',
    'the hotel in Puerto Rico and the one in Puerto Vallarta',
    'the Mets lost a 5 to 2 game',
    'Mets and Braves play at a 7 pm slot',
    'the coder on call and the proposer of the motion',
    'the query analyser, the comparer and the configurer are services',
    'Carlos Fuentes wrote Aura',
  ])('%s', (text) => expect(romanceOf(text)).toEqual([]))

  test.each([
    ['active le mode sombre', 'config_edit'],
    ['Peux-tu activer les notifications ?', 'config_edit'],
    ['activez la journalisation', 'config_edit'],
    ['tu peux installer le paquet requests', 'system_admin'],
    ['il faut installer docker sur ce poste', 'system_admin'],
    ["on essaie d'installer nginx", 'system_admin'],
    ['installe ffmpeg', 'system_admin'],
    ['lance le serveur de développement', 'system_admin'],
    ['lancez les conteneurs', 'system_admin'],
    ['cambia el puerto a 8080', 'config_edit'],
    ['mets le délai à 5 secondes', 'config_edit'],
    ['mets le timeout a 30', 'config_edit'],
    ['tu peux coder une fonction de tri ?', 'coding'],
    ['peux-tu analyser les journaux ?', 'analysis'],
    ['busca las fuentes oficiales', 'investigation'],
    ['el servicio falla cuando arranco', 'bugfix'],
    ['me falla la subida de archivos', 'bugfix'],
    ['falla al compilar', 'bugfix'],
  ])('%s: %s', (text, domain) => expect(romanceOf(text)).toContain(domain))
})
