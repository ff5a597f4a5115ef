package dev.idspring.integration.kotlin

import dev.idspring.annotation.IdAsString

data class NoteView(@get:IdAsString("codes") val id: Long, val text: String)
