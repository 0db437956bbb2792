// Before the first paint, so that the page does not flash in the other theme.
const theme = localStorage.getItem('theme')
if (theme) document.documentElement.dataset.theme = theme
