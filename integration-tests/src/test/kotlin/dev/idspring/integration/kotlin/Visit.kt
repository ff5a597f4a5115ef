package dev.idspring.integration.kotlin

import dev.idspring.annotation.GeneratedId
import dev.idspring.annotation.IdAsString
import org.springframework.data.annotation.Id

@JvmRecord
@IdAsString("codes")
data class VisitCode(val value: String)

data class Visit(@Id @GeneratedId val id: CustomerId? = null, @GeneratedId("codes") val code: VisitCode? = null)

data class VisitView(val id: CustomerId, val codes: Map<VisitCode, Int>)
