package dev.idspring.neighbours.mybatisplus;

import java.util.List;
import java.util.stream.Stream;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import dev.idspring.IdGenerators;
import dev.idspring.annotation.GeneratedIds;
import dev.idspring.autoconfigure.IdsAutoConfiguration;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the keys that MyBatis-Plus assigns. It detects wrong annotations
 * at start-up. With lazy initialization, it detects them when an entity is inserted.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = IdsAutoConfiguration.class,
		beforeName = "com.baomidou.mybatisplus.autoconfigure.IdentifierGeneratorAutoConfiguration")
@ConditionalOnClass(IdentifierGenerator.class)
@ConditionalOnBean(IdGenerators.class)
@ConditionalOnMissingBean(IdentifierGenerator.class)
public final class IdsMybatisPlusAutoConfiguration {

	/**
	 * Uses a provider of the generators. The generators may wait for database scripts,
	 * but a session factory may request this bean before the scripts have run.
	 */
	@Bean
	MybatisPlusIdGenerator idsIdentifierGenerator(ObjectProvider<IdGenerators> generators,
			ObjectProvider<GeneratedIds.Check> checks, ConfigurableListableBeanFactory beans) {
		return new MybatisPlusIdGenerator(generators::getObject,
				(generator, property) -> checks.forEach((check) -> check.verify(generator, property)),
				() -> configurations(beans));
	}

	@Bean
	static SmartInitializingSingleton idsMybatisPlusCheck(ObjectProvider<MybatisPlusIdGenerator> generator,
			ConfigurableListableBeanFactory beans) {
		return () -> {
			if (!configurations(beans).isEmpty() && singletons(IdGenerators.class, beans).findAny().isPresent()) {
				generator.getObject().check();
			}
		};
	}

	private static List<Configuration> configurations(ConfigurableListableBeanFactory beans) {
		return singletons(SqlSessionFactory.class, beans)
			.map((name) -> beans.getBean(name, SqlSessionFactory.class).getConfiguration())
			.toList();
	}

	private static Stream<String> singletons(Class<?> type, ConfigurableListableBeanFactory beans) {
		return Stream.of(beans.getBeanNamesForType(type, true, false)).filter(beans::containsSingleton);
	}

}
