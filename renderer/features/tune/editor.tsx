import { useEffect, useRef } from 'react'
import { valueOf } from '../../app/async-data.ts'
import { useLab } from '../dock/store.ts'
import { domainNames } from '../../app/selectors.ts'
import { useApp } from '../../app/use-store.ts'
import {
  mountEditor,
  offerNames,
  showChanges,
  showProblems,
  showSignal,
  showSignals,
} from './editor-doc.ts'

/** The text of the domain file: the draft, with problems underlined and the current signal marked. */
export function DraftEditor({ text }: { readonly text: string }) {
  const holder = useRef<HTMLDivElement>(null)
  const first = useRef(text)
  const problems = useLab((state) => state.problems)
  const signals = useLab((state) => valueOf(state.signals))
  const signal = useLab((state) => state.signal)
  const saved = useLab((state) => (state.showDiff ? (valueOf(state.file)?.text ?? null) : null))
  const names = useApp(domainNames)
  useEffect(() => {
    first.current = text
  })
  useEffect(() => (holder.current ? mountEditor(holder.current, first.current) : undefined), [])
  useEffect(() => offerNames(names), [names])
  useEffect(() => {
    if (signals) showSignals(signals)
  }, [signals])
  useEffect(() => showSignal(signal, false), [signal])
  useEffect(() => showProblems(problems), [problems])
  useEffect(() => showChanges(saved), [saved])
  return <div ref={holder} className="fill" data-testid="editor" />
}
