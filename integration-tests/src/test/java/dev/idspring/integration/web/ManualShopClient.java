package dev.idspring.integration.web;

import dev.idspring.autoconfigure.web.IdArgumentResolver;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

@Configuration(proxyBeanMethods = false)
class ManualShopClient {

	@Bean
	OrderClient orderClient(RestClient.Builder builder, @Value("${shop.url}") String url, IdArgumentResolver ids) {
		return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(builder.baseUrl(url).build()))
			.customArgumentResolver(ids)
			.build()
			.createClient(OrderClient.class);
	}

}
