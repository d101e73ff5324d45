public import MIDIClock
