package dev.idspring.integration.web;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.service.registry.ImportHttpServices;

@Configuration(proxyBeanMethods = false)
@ImportHttpServices(group = "shop", types = OrderClient.class)
class ShopClients {

}
