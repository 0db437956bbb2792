// Before the first paint: the chosen colours, so that the page does not flash in others, and the outline of what is going to be
// shown, which index.html has until the console's script is there. `shell` in the storage says that somebody was signed in.
const { dataset } = document.documentElement
const theme = localStorage.getItem('theme')
if (theme) dataset.theme = theme
const isOpen = /^\/console\/(verify|enrol|sign-in)$/.test(location.pathname)
dataset.shell = localStorage.getItem('shell') && !isOpen ? 'in' : 'out'
