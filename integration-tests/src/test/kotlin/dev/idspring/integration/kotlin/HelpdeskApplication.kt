package dev.idspring.integration.kotlin

import org.springframework.boot.autoconfigure.SpringBootApplication

@SpringBootApplication(proxyBeanMethods = false)
class HelpdeskApplication
