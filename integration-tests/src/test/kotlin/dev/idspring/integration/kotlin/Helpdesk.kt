package dev.idspring.integration.kotlin

import dev.idspring.IdGenerator
import org.springframework.beans.factory.annotation.Qualifier
import org.springframework.stereotype.Service

@Service
class Helpdesk(private val ids: IdGenerator, @Qualifier("codes") private val codes: IdGenerator) {

	fun invite(): String = "${ids.nextLong()}/${codes.nextString()}"

}
