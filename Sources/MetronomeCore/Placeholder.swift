import MIDIClock
