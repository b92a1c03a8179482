// The engine in a page: nothing is sent anywhere. index.html says where `turnscope/engine` lies; domains and preset lie beside it as JSON.
import { createClassifier } from 'turnscope/engine'

const json = async (name) => (await fetch(name)).json()
const { classify } = createClassifier({
  domains: await json('domains.json'),
  preset: await json('preset.json'),
})
const message = document.querySelector('#message')
const show = () => {
  const { primary, secondary, confidence, fired } = classify(message.value)
  document.querySelector('#decision').textContent = JSON.stringify(
    { primary, secondary, confidence, fired },
    null,
    2,
  )
}
message.addEventListener('input', show)
show()
